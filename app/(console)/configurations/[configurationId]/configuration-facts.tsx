import { LongText } from '@/components/trace/long-text'
import type { GovernedConfiguration } from '@/lib/configurations/governed-configuration'
import { formatCount, formatDuration } from '@/lib/protocol/format'

/** What is set when a configuration is added. */
export function ConfigurationFacts({ configuration }: { configuration: GovernedConfiguration }) {
  const { chain, parameters, maxRounds, timeLimitMs, systemPrompt } = configuration
  const { temperature, topP, maxOutputTokens, stop, seed, reasoningEffort } = parameters
  const facts: [string, string][] = [
    [
      'Model',
      chain.map(({ modelId, connectionName }) => `${modelId} (${connectionName})`).join(', then '),
    ],
    ['Rounds', formatCount(maxRounds)],
    ['Time limit', formatDuration(timeLimitMs)],
    ['Temperature', orDefault(temperature)],
    ['Top-p', orDefault(topP)],
    ['Most output tokens', maxOutputTokens === null ? byProvider : formatCount(maxOutputTokens)],
    [
      'Stop sequences',
      stop.length === 0 ? 'none' : stop.map((text) => JSON.stringify(text)).join(', '),
    ],
    ['Seed', orDefault(seed)],
    ['Reasoning effort', reasoningEffort ?? byProvider],
  ]
  return (
    <div className="flex flex-col gap-3">
      <p className="max-w-[72ch] text-muted">
        Set when the configuration is added (
        <code className="font-mono">toolgate configuration add</code>). For another model or prompt
        add another configuration.
      </p>
      <dl className="grid max-w-3xl grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        {facts.map(([term, value]) => (
          <div key={term} className="contents">
            <dt className="text-muted">{term}</dt>
            <dd className="numeric min-w-0 [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      {systemPrompt === '' ? (
        <p className="text-muted">No system prompt.</p>
      ) : (
        <div className="rounded-md border bg-surface-1 px-3 py-2">
          <LongText text={systemPrompt} label="System prompt" mono={false} />
        </div>
      )}
    </div>
  )
}

const byProvider = 'as the provider says'

function orDefault(value: number | null): string {
  return value === null ? byProvider : String(value)
}
