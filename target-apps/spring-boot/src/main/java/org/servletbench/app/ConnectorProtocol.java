package org.servletbench.app;

import org.springframework.beans.ConfigurablePropertyAccessor;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.server.ConfigurableWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * Sets the connector's protocol class if the profile names one.
 *
 * <p>It uses the property's name instead of the container's factory class, because that class moved between Spring Boot
 * lines, and this source serves all of them.
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
        // The jar's container may have been replaced by Jetty or Undertow, which have no protocol.
        if (!protocol.isEmpty() && properties.isWritableProperty("protocol")) {
            properties.setPropertyValue("protocol", protocol);
        }
    }
}
