package com.example.sample.replicas;

import com.example.sample.SampleApplication;
import java.io.IOException;
import java.io.OutputStream;

/** One replica, in a process that ends when its standard input does: when the process that has started it is gone, however it ended. */
final class Replica {

    private Replica() {}

    public static void main(String[] arguments) {
        Thread watch = new Thread(Replica::endWithInput, "end-with-input");
        watch.setDaemon(true);
        watch.start();
        SampleApplication.main(arguments);
    }

    private static void endWithInput() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException alsoAnEnd) {
            // The same.
        }
        System.exit(0);
    }
}
