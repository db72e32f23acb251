package org.servletbench.bench.comparison;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a component of a record as a key of a comparison file. In the file, its name has dashes. The reference page is
 * generated from these annotations.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface Key {

    /** Returns the effect of the key, in words. */
    String means();

    /** Returns the default, in words; {@code =} stands for the value in profiles/campaign.properties. */
    String standard() default "";

    /** Returns the form of the value, unless the type of the component determines it. */
    Form form() default Form.OF_TYPE;

    /** Returns the component that receives a text given instead of a mapping; empty if only a mapping is allowed. */
    String text() default "";

    /** Returns the keys of the nested record that are not allowed here. */
    String[] without() default {};
}
