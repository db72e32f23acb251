package org.servletbench.bench.comparison;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a component of a record as a key of a comparison's file. Its name has dashes there; the reference page is generated from
 * these.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface Key {

    /** Effect of the key, in words. */
    String means();

    /** Default, in words; {@code =} for the value in profiles/campaign.properties. */
    String standard() default "";

    /** Form of its value, unless the type of the component determines it. */
    Form form() default Form.OF_TYPE;

    /** Component that takes a text instead of a mapping; empty: a mapping is required. */
    String text() default "";

    /** Keys of the nested record that are not allowed here. */
    String[] without() default {};
}
