package dev.election.redis;

import org.junit.jupiter.api.Tag;

@Tag("slow")
class IncarnationTest extends IncarnationContract {}
