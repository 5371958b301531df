import { Disclosure } from '@/components/trace/disclosure'
import { LongText } from '@/components/trace/long-text'
import { cn } from '@/components/ui/cn'
import { configurationShape, workFields } from '@/lib/domains/configurations/shape'
import {
  type ConfigurationField,
  labelOf,
  wordsOf,
} from '@/lib/domains/configurations/shared/configuration-differences'
import { costCapModeWords } from '@/lib/protocol/cost/cost-cap-words'
import type { ConfigurationForm } from '@/lib/protocol/parameters/configuration-form'
import {
  defaultParameters,
  describedParameters,
  isOptionName,
  isParameterName,
  parametersIn,
  parametersThatAreSet,
} from '@/lib/protocol/parameters/parameters'

/** The fields of the list of facts. The system prompt is shown below the list. */
const shown: readonly ConfigurationField[] = [
  'model',
  'fallbacks',
  ...workFields.filter((field) => field !== 'systemPrompt'),
  'costCapMicroUsd',
  'allowedOverrides',
]

/**
 * Shows model, prompt, parameters and limits, as runs that begin now use them. Those that are at their default are folded; of the
 * options, they are left out.
 */
export function ConfigurationFacts({ form }: { form: ConfigurationForm }) {
  const set = new Set<ConfigurationField>(
    parametersThatAreSet({ ...defaultParameters, ...parametersIn(form) }).map(({ key }) => key),
  )
  const isDefault = (field: ConfigurationField) =>
    isParameterName(field) ? !set.has(field) : (plainDefaults[field]?.(form) ?? false)
  const facts = [...shown.filter((field) => !isDefault(field)), ...[...set].filter(isOptionName)]
  const defaults = shown.filter(isDefault)
  return (
    <div className="flex flex-col gap-3">
      <Facts form={form} fields={facts} />
      {defaults.length > 0 && (
        <Disclosure summary={`Defaults (${defaults.length})`}>
          <Facts form={form} fields={defaults} />
        </Disclosure>
      )}
      {form.systemPrompt === '' ? (
        <p className="text-muted">No system prompt.</p>
      ) : (
        <div className="flex flex-col gap-1">
          <h3 className="text-sm">System prompt</h3>
          <div className="rounded-md border bg-surface-1 px-3 py-2">
            <LongText text={form.systemPrompt} label="System prompt" mono={false} />
          </div>
        </div>
      )}
    </div>
  )
}

/** Returns whether a field that is no parameter has the value that it has in a new configuration. */
const plainDefaults: Partial<Record<ConfigurationField, (form: ConfigurationForm) => boolean>> = {
  fallbacks: ({ fallbacks }) => fallbacks.length === 0,
  toolMode: ({ toolMode }) => toolMode === configurationShape.toolMode.defaultValue,
  costCapMicroUsd: ({ costCapMicroUsd }) => costCapMicroUsd === null,
  allowedOverrides: ({ allowedOverrides }) => allowedOverrides.length === 0,
}

type FactsProps = { form: ConfigurationForm; fields: readonly ConfigurationField[] }

function Facts({ form, fields }: FactsProps) {
  return (
    <dl className="grid max-w-3xl grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-base">
      {fields.map((field) => (
        <div key={field} className="contents">
          <dt className="text-muted">{labelOf(field)}</dt>
          <dd
            className={cn(
              'numeric min-w-0 [overflow-wrap:anywhere]',
              isJson(field) && 'font-mono text-mono',
            )}
          >
            {factOf(form, field)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function isJson(field: ConfigurationField): boolean {
  return isParameterName(field) && describedParameters[field].control.type === 'json'
}

function factOf(form: ConfigurationForm, field: ConfigurationField): string {
  const words = wordsOf(form, field)
  if (field !== 'costCapMicroUsd' || form.costCapMicroUsd === null) return words
  return `${words} a run. ${costCapModeWords[form.costCapMode]}`
}
