package dev.election.aop;

import dev.election.Election;
import dev.election.OnLoss;
import dev.election.Otherwise;
import java.util.function.Supplier;

/**
 * What guards a method.
 *
 * @param election of which election this node must be the leader
 * @param otherwise what a call does if it is not
 * @param onLoss what happens to a call that runs when leadership is lost
 */
record Guard(Supplier<Election> election, Otherwise otherwise, OnLoss onLoss) {}
