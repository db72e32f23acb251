package org.servletbench.bench.comparison;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a component of a record as a key of a comparison's file. Its name has dashes there; the reference page is made of these. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface Key {

    /** What it decides, in words. */
    String means();

    /** What holds where it is not given, in words; {@code =} for the value in profiles/campaign.properties. */
    String standard() default "";

    /** What its value may be, where the type of the component does not say it. */
    Form form() default Form.OF_TYPE;

    /** Component that gets a text in place of a mapping; empty: there must be a mapping. */
    String text() default "";

    /** Keys of the record below that cannot stand there. */
    String[] without() default {};
}
