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

    /** Place of the keys in the file, in words. */
    String place() default "";

    /** Component that takes a text instead of a mapping; empty: a mapping is required. */
    String text() default "";
}
