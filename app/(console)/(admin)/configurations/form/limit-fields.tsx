import { FormField, FormFields } from '@/components/forms/form-field'
import { configurationShape } from '@/lib/domains/configurations/shape'
import { pick } from '@/lib/protocol/parameters'

const limits = pick(configurationShape, ['maxRounds', 'timeLimitMs', 'costCapMicroUsd'])
const { costCapMode, toolMode } = configurationShape

/** Shows the fields for the limits of a run. */
export function LimitFields({ hasCap }: { hasCap: boolean }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <FormFields fields={limits} />
      <FormField name="costCapMode" shape={costCapMode} disabled={!hasCap} />
      <FormField name="toolMode" shape={toolMode} />
    </div>
  )
}
