package org.servletbench.bench.comparison;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a record whose components are keys of a comparison file. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface Section {

    /** Returns the title on the reference page; empty if the record has no section there. */
    String title() default "";

    /** Returns the place of the keys in the file, in words. */
    String place() default "";

    /** Returns the component that receives a text given instead of a mapping; empty if only a mapping is allowed. */
    String text() default "";
}
