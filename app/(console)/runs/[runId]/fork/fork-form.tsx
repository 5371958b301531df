'use client'
import { useWatch } from 'react-hook-form'
import { fork } from '@/app/(console)/runs/actions'
import { Form, FormFailure } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { Disclosure } from '@/components/trace/disclosure'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/section'
import type { ToolSource } from '@/lib/protocol/run/fork'
import { countOf } from '@/lib/words/format'

type Tool = { name: string; writes: boolean }
type Call = { callId: string; name: string; argumentsText: string; result: string | null }

/** A round to go on from. `called`: the tools that it and later rounds call; `others`: further ones that the run was offered. */
export type ForkFacts = {
  round: number
  prompt: string
  answer: string
  calls: Call[]
  called: Tool[]
  others: Tool[]
}

type Props = {
  runId: string
  facts: ForkFacts
  configurations: { value: string; label: string }[]
}

type Source = ToolSource['type'] | 'recorded'
type Values = {
  change: string
  text: string
  configuration: string | null
  sources: { name: string; source: Source; content: string }[]
}

/** Takes the one change, and where the results of tools come from. */
export function ForkForm({ runId, facts, configurations }: Props) {
  const { round, called, others } = facts
  const tools = [...called, ...others]
  const form = useActionForm<Values, { runId: string }>({
    values: {
      change: 'none',
      text: '',
      configuration: null,
      sources: tools.map(({ name }) => ({ name, source: 'recorded', content: '' })),
    },
    adjust: (now, before) =>
      now.change === before.change ? {} : { text: textBefore(facts, now.change) },
    send: (values) => fork({ runId, round, ...changeOf(values), sources: sourcesOf(values) }),
    fieldOf,
    done: 'Started the run',
    next: (value) => `/runs/${value.runId}`,
  })
  const change = useWatch({ control: form.control, name: 'change' })
  return (
    <Form form={form} label="Go on from here">
      <FormFailure title="The run was not started" />
      <FormField
        name="change"
        shape={{ kind: 'select', label: 'Change', choices: changesOf(facts) }}
      />
      {change === 'configuration' && (
        <FormField
          name="configuration"
          shape={{
            kind: 'select',
            label: 'Configuration',
            required: 'Pick a configuration.',
            choices: configurations,
          }}
        />
      )}
      {change !== 'none' && change !== 'configuration' && (
        <FormField
          name="text"
          shape={{
            kind: 'textarea',
            label: 'New text',
            rows: 8,
            mono: change !== 'prompt',
            ...(change !== 'prompt' && { hint: hintOf(change) }),
          }}
        />
      )}
      <Section title="Results of tools">
        <p className="text-muted text-sm">
          A call that the run makes again after this round gets its recorded result. Any other call
          fails, unless you choose to call its tool.
        </p>
        {called.map((tool, place) => (
          <SourceField key={tool.name} tool={tool} place={place} form={form} />
        ))}
        {others.length > 0 && (
          <Disclosure summary={countOf(others.length, 'other tool')}>
            {others.map((tool, place) => (
              <SourceField key={tool.name} tool={tool} place={called.length + place} form={form} />
            ))}
          </Disclosure>
        )}
      </Section>
      <div>
        <Button type="submit" variant="primary" loading={form.busy}>
          Start run
        </Button>
      </div>
    </Form>
  )
}

type SourceProps = {
  tool: Tool
  place: number
  form: ReturnType<typeof useActionForm<Values, { runId: string }>>
}

function SourceField({ tool: { name, writes }, place, form }: SourceProps) {
  const source = useWatch({ control: form.control, name: `sources.${place}.source` })
  return (
    <div className="flex flex-col gap-2 py-1">
      <FormField
        name={`sources.${place}.source`}
        shape={{
          kind: 'select',
          label: name,
          choices: [
            { value: 'recorded', label: 'Recorded results' },
            { value: 'live', label: writes ? 'Call it (writes)' : 'Call it' },
            { value: 'fixed', label: 'A fixed text' },
            { value: 'refused', label: 'Its calls fail' },
          ],
        }}
      />
      {source === 'fixed' && (
        <FormField
          name={`sources.${place}.content`}
          shape={{
            kind: 'textarea',
            label: `Text of ${name}`,
            rows: 3,
            hint: 'You cannot approve calls of the new run then; another person has to.',
          }}
        />
      )}
    </div>
  )
}

/** Returns the field of the form where an error of the server is shown. */
function fieldOf(path: string): string {
  if (path.startsWith('edit') || path === 'sources') return 'text'
  return path === 'round' ? 'change' : path
}

function hintOf(change: string): string {
  const approval = 'You cannot approve calls of the new run; another person has to.'
  return change.startsWith('arguments')
    ? `Choose below where the result of the call comes from: none is recorded. ${approval}`
    : approval
}

function changesOf({ calls }: ForkFacts) {
  const ofCall = ({ callId, name, result }: Call, place: number) => {
    const which = calls.length > 1 ? `${name} (call ${place + 1})` : name
    return [
      { value: `arguments ${callId}`, label: `Arguments of ${which}` },
      ...(result === null ? [] : [{ value: `result ${callId}`, label: `Result of ${which}` }]),
    ]
  }
  return [
    { value: 'none', label: 'Nothing' },
    ...calls.flatMap(ofCall),
    { value: 'answer', label: 'Text of the answer' },
    { value: 'prompt', label: 'Prompt' },
    { value: 'configuration', label: 'Configuration' },
  ]
}

function textBefore({ prompt, answer, calls }: ForkFacts, change: string): string {
  const [kind, callId] = change.split(' ')
  const call = calls.find((each) => each.callId === callId)
  if (kind === 'prompt') return prompt
  if (kind === 'answer') return answer
  return (kind === 'result' ? call?.result : call?.argumentsText) ?? ''
}

function changeOf({ change, text, configuration }: Values) {
  const [kind = '', callId = ''] = change.split(' ')
  switch (kind) {
    case 'configuration':
      return { configuration }
    case 'prompt':
    case 'answer':
      return { edit: { type: kind, text } } as const
    case 'arguments':
    case 'result':
      return { edit: { type: kind, callId, text } } as const
    default:
      return {}
  }
}

function sourcesOf({ sources }: Values): Record<string, ToolSource> {
  return Object.fromEntries(
    sources.flatMap(({ name, source, content }): [string, ToolSource][] => {
      if (source === 'recorded') return []
      return [[name, source === 'fixed' ? { type: source, content } : { type: source }]]
    }),
  )
}
