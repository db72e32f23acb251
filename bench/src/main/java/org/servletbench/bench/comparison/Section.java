package org.servletbench.bench.comparison;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a record whose components are keys of a comparison's file. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface Section {

    /** Title on the reference page; empty: it has no section there. */
    String title() default "";

    /** Where the keys stand, in words. */
    String place() default "";

    /** Component that gets a text in place of a mapping; empty: there must be a mapping. */
    String text() default "";
}
