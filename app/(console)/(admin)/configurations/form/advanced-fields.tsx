import type { ModelChoice } from '@toolgate/server/domains/configurations/schemas'
import { FieldGroup } from '@/components/forms/field-group'
import { FormField, FormFields } from '@/components/forms/form-field'
import { configurationShape } from '@/lib/domains/configurations/shape'
import { JsonObject } from '@/lib/protocol/parameters/parameter-values'
import { pick, readParameter } from '@/lib/protocol/parameters/parameters'
import type { FieldShape } from '@/lib/shape/field-shape'
import { UnpricedNotice } from '../unpriced-notice'
import { PeopleFields } from './access-fields'
import { limitFields, nameFields, parametersOf, setInGroups } from './advanced-groups'
import { FallbackField } from './chain-fields'
import type { ConfigurationDraft } from './configuration-draft'
import { ParameterFields } from './parameter-fields'
import type { FormChoices } from './read-form-choices'

type Props = {
  draft: ConfigurationDraft
  /** The models that runs may ask, the first one first. */
  chain: readonly ModelChoice[]
  choices: FormChoices
  isNew: boolean
}

/** Shows what most configurations leave as it is, in groups that say what is set in them. */
export function AdvancedFields({ draft, chain, choices, isNew }: Props) {
  const set = setInGroups(draft, choices)
  const grid = 'grid gap-4 sm:grid-cols-2'
  return (
    <>
      <FieldGroup title="Identifier and purpose" fields={Object.keys(nameFields)} set={set.names}>
        <FormFields fields={isNew ? nameFields : storedNameFields} />
      </FieldGroup>
      <FieldGroup title="Limits and cost" fields={Object.keys(limitFields)} set={set.limits}>
        <LimitFields draft={draft} chain={chain} />
      </FieldGroup>
      <FieldGroup title="Sampling and answers" fields={parametersOf('answers')} set={set.answers}>
        <ParameterFields draft={draft} chain={chain} names={parametersOf('answers')} />
      </FieldGroup>
      <FieldGroup
        title="Tool calling"
        fields={['toolMode', ...parametersOf('calls')]}
        set={set.calls}
      >
        <div className={grid}>
          <FormField name="toolMode" shape={configurationShape.toolMode} />
        </div>
        <ParameterFields draft={draft} chain={chain} names={parametersOf('calls')} />
      </FieldGroup>
      <FieldGroup
        title="Fallback"
        fields={['fallbackModelIds', ...parametersOf('fallback')]}
        set={set.fallback}
        usual="No fallback models"
      >
        <FallbackField draft={draft} models={choices.models} />
        <ParameterFields draft={draft} chain={chain} names={parametersOf('fallback')} />
      </FieldGroup>
      <FieldGroup title="Provider options" fields={parametersOf('provider')} set={set.provider}>
        <ParameterFields draft={draft} chain={chain} names={parametersOf('provider')} />
      </FieldGroup>
      <FieldGroup
        title={configurationShape.groupIds.label}
        fields={['groupIds', 'allowedOverrides']}
        set={set.people}
        usual="Admins only"
      >
        <PeopleFields groups={choices.groups} />
        <FormField name="allowedOverrides" shape={configurationShape.allowedOverrides} />
      </FieldGroup>
    </>
  )
}

const storedNameFields: Record<string, FieldShape> = {
  ...nameFields,
  identifier: {
    ...nameFields.identifier,
    hint: 'The current identifier stops working, in the API and on the command line.',
  },
}

const plainLimits = pick(limitFields, ['maxRounds', 'timeLimitMs', 'costCapMicroUsd'])

/** Shows the fields for the limits of a run. */
function LimitFields({ draft, chain }: Pick<Props, 'draft' | 'chain'>) {
  const hasCap = draft.costCapMicroUsd.trim() !== ''
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <FormFields fields={plainLimits} />
        <FormField name="costCapMode" shape={limitFields.costCapMode} disabled={!hasCap} />
      </div>
      {hasCap && draft.costCapMode === 'enforce' && (
        <UnpricedNotice chain={chain} options={pricedOptions(draft)} />
      )}
    </>
  )
}

/** Returns the part of a draft that decides what its models cost. Text that is not a JSON object yet is left out. */
function pricedOptions({ serviceTier, extraBody }: Record<'serviceTier' | 'extraBody', string>) {
  const read = JsonObject.nullable().safeParse(readParameter('extraBody', extraBody))
  return { serviceTier: serviceTier.trim() || null, extraBody: read.data ?? null }
}
