package dev.election.doctor;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** One thing to look at. */
@FunctionalInterface
public interface Check {

    /** What is wrong; fails if that can't be found out yet, and is then asked again. */
    CompletionStage<List<Finding>> look();
}
