import { LongText } from '@/components/trace/long-text'
import { cn } from '@/components/ui/cn'
import { workFields } from '@/lib/domains/configurations/shape'
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
  isParameterName,
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
 * Shows model, prompt, parameters and limits, as runs that begin now use them. Of the options, only those that are set.
 */
export function ConfigurationFacts({ form }: { form: ConfigurationForm }) {
  const options = parametersThatAreSet({ ...defaultParameters, ...form.options })
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid max-w-3xl grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        {[...shown, ...options.map(({ key }) => key)].map((field) => (
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
      {form.systemPrompt === '' ? (
        <p className="text-muted">No system prompt.</p>
      ) : (
        <div className="rounded-md border bg-surface-1 px-3 py-2">
          <LongText text={form.systemPrompt} label="System prompt" mono={false} />
        </div>
      )}
    </div>
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
