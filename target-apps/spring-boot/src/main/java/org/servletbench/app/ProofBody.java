package org.servletbench.app;

import org.springframework.context.annotation.Conditional;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/** The switch {@link Proof#BODY}: flips the last bit of the first byte, without changing the length. */
@ControllerAdvice(assignableTypes = WorkloadController.class)
@Conditional(Proof.BodyAsked.class)
class ProofBody implements ResponseBodyAdvice<String> {

    @Override
    public boolean supports(MethodParameter method, Class<? extends HttpMessageConverter<?>> converter) {
        return method.getParameterType() == String.class;
    }

    @Override
    public String beforeBodyWrite(
            String body,
            MethodParameter method,
            MediaType type,
            Class<? extends HttpMessageConverter<?>> converter,
            ServerHttpRequest request,
            ServerHttpResponse response) {
        return (char) (body.charAt(0) ^ 1) + body.substring(1);
    }
}
