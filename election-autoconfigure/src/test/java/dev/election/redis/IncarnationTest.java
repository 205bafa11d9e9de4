package dev.election.redis;

class IncarnationTest extends IncarnationContract {}
