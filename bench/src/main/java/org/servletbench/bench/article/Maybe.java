package org.servletbench.bench.article;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A key that an article's file may leave out: then a text, list or mapping is empty, and anything else 0, false or null. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
@interface Maybe {}
