package org.servletbench.app;

import org.springframework.beans.ConfigurablePropertyAccessor;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.server.ConfigurableWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * Sets the connector's protocol class where the profile names one.
 *
 * <p>By the property's name and not through the container's factory class: that class moved between Spring Boot lines,
 * and this source serves all of them.
 */
@Component
class ConnectorProtocol implements WebServerFactoryCustomizer<ConfigurableWebServerFactory> {

    private final String protocol;

    ConnectorProtocol(@Value("${connector.protocol:}") String protocol) {
        this.protocol = protocol;
    }

    @Override
    public void customize(ConfigurableWebServerFactory factory) {
        ConfigurablePropertyAccessor properties = PropertyAccessorFactory.forBeanPropertyAccess(factory);
        // A jar whose container was replaced by Jetty or Undertow, which have no protocol, still names it.
        if (!protocol.isEmpty() && properties.isWritableProperty("protocol")) {
            properties.setPropertyValue("protocol", protocol);
        }
    }
}
