package com.example.sample.replicas;

import java.net.BindException;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioEndpoint;

/** Listens at the first free port from the configured one on. A port is chosen by binding it: nobody can take it in between. */
public final class NextFreePort extends Http11NioProtocol {

    public NextFreePort() {
        super(new Endpoint());
    }

    private static final class Endpoint extends NioEndpoint {

        @Override
        protected void initServerSocket() throws Exception {
            while (true) {
                try {
                    super.initServerSocket();
                    return;
                } catch (BindException taken) {
                    doCloseServerSocket();
                    setPort(getPort() + 1);
                }
            }
        }
    }
}
