import type { ModelDetails } from '@toolgate/server/domains/models/schemas'
import type { ReactNode } from 'react'
import { toolPills } from '@/components/nouns/model-words'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { StatePill } from '@/components/ui/state-pill'
import { Capability, modelShape, sourceWords, toolWords } from '@/lib/domains/models/shape'
import { effortWords } from '@/lib/protocol/parameters/parameter-values'
import { parameterLabels } from '@/lib/protocol/parameters/parameters'
import { factText } from '@/lib/shape/field-codec'
import { formatCount } from '@/lib/words/format'
import { TestTools } from './test-tools'

/** Shows the model's capabilities, and the source of each. */
export function Capabilities({ model }: { model: ModelDetails }) {
  const { toolCalling, toolCallingSource, toolCallingTestedAt, unsupportedParameters } = model
  return (
    <Section
      title="Capabilities"
      action={<TestTools modelId={model.id} name={model.displayName} />}
    >
      <dl className="grid max-w-3xl grid-cols-[auto_1fr] items-baseline gap-x-6 gap-y-2">
        <Fact term="Tool calling">
          <StatePill state={toolPills[toolCalling]}>{toolWords[toolCalling]}</StatePill>{' '}
          <span className="text-muted text-sm">
            {toolCallingSource && sourceWords[toolCallingSource]}
            {toolCallingTestedAt && (
              <>
                {' '}
                <RelativeTime at={toolCallingTestedAt} />
              </>
            )}
          </span>
        </Fact>
        <Fact term="Context window">{tokens(model.contextTokens)}</Fact>
        <Fact term="Max output">{tokens(model.maxOutputTokens)}</Fact>
        {Capability.options.map((name) => {
          const source = model.capabilitySources[name]
          return (
            <Fact key={name} term={modelShape[name].label}>
              {factText(modelShape[name], model[name])}{' '}
              {source && <span className="text-muted text-sm">{sourceWords[source]}</span>}
            </Fact>
          )
        })}
        <Fact term="Reasoning efforts">
          {model.reasoningEfforts.map((effort) => effortWords[effort]).join(', ') || 'Unknown'}
        </Fact>
        <Fact term="Parameters not sent">
          {unsupportedParameters.length === 0
            ? 'None known'
            : unsupportedParameters.map((name) => parameterLabels[name]).join(', ')}
        </Fact>
      </dl>
    </Section>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{term}</dt>
      <dd className="numeric min-w-0">{children}</dd>
    </>
  )
}

const tokens = (count: number | null) =>
  count === null ? 'Unknown' : `${formatCount(count)} tokens`
