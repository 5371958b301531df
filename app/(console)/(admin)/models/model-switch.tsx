import type { ModelListing } from '@toolgate/server/domains/models/schemas'
import { ReasonedSwitch } from '@/components/forms/reasoned-switch'
import { offWords } from '@/components/nouns/model-words'
import { modelReason } from '@/lib/domains/models/shape'
import { changeModel } from './actions'

/** Switches a model on or off. When configurations use it, switching off says what that does to them and asks for a reason. */
export function ModelSwitch({
  model,
}: {
  model: Pick<ModelListing, 'id' | 'displayName' | 'enabled' | 'usedBy'>
}) {
  const { id, displayName, enabled, usedBy } = model
  const isUsed = usedBy.length > 0
  return (
    <ReasonedSwitch
      id={id}
      name={displayName}
      enabled={enabled}
      required={isUsed ? modelReason : undefined}
      send={changeModel}
    >
      {isUsed ? offWords(model) : null}
    </ReasonedSwitch>
  )
}
