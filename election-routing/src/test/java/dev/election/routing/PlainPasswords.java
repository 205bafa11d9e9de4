package dev.election.routing;

import org.springframework.security.crypto.password.PasswordEncoder;

/** Compares passwords as they are: one that is hashed takes a good part of a second on each node, for each request. */
final class PlainPasswords implements PasswordEncoder {

    @Override
    public String encode(CharSequence password) {
        return password.toString();
    }

    @Override
    public boolean matches(CharSequence password, String encoded) {
        return encoded.contentEquals(password);
    }
}
