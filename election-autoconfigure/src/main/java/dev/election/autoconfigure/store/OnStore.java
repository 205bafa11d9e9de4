package dev.election.autoconfigure.store;

import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** See {@link ConditionalOnStore}. */
final class OnStore extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        String store = metadata.getAnnotations().get(ConditionalOnStore.class).getString(MergedAnnotation.VALUE);
        String chosen = context.getEnvironment().getProperty(StoreDiagnosis.CHOICE);
        boolean isIt = chosen != null
                ? chosen.equals(store)
                : StoreDiagnosis.ofAllStores().size() == 1;
        return new ConditionOutcome(
                isIt,
                ConditionMessage.forCondition(ConditionalOnStore.class, store)
                        .because(StoreDiagnosis.CHOICE + " is " + Objects.requireNonNullElse(chosen, "not set")));
    }
}
