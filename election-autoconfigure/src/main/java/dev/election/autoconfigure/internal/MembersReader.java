package dev.election.autoconfigure.internal;

/** Says that a part of the library shows members: where there is one, this process is a member if the store keeps members. */
public record MembersReader() {}
