package dev.election.redis;

import dev.election.testing.RealTime;

@RealTime
class IncarnationTest extends IncarnationContract {}
