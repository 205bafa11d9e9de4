package dev.election.redis;

/** A script that carries out one request, alone or as a function of together.lua. */
interface BatchedScript {

    /** The name of the function in together.lua. */
    String text();

    /** Work of the script, in renewals. */
    double renewals();

    /** Whether its success makes or keeps a leader. */
    boolean isGranting();
}
