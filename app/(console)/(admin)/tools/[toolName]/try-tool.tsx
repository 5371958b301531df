'use client'
import type { TriedTool } from '@toolgate/server/runs/start/try-tool'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useId, useState } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { draftText, emptyDraft, filledDraft } from '@/components/schema-form/schema-draft'
import { SchemaForm } from '@/components/schema-form/schema-form'
import { DecisionLines } from '@/components/trace/decision-lines'
import { gateWords } from '@/components/trace/gate-words'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { ruleActionWords } from '@/lib/domains/approvals/shape'
import type { ActionError } from '@/lib/next/action'
import { tryIt } from './actions'

type Props = {
  name: string
  parameters: Record<string, unknown>
  /** Arguments to begin with. */
  example: Record<string, unknown> | undefined
  configurations: readonly { id: string; name: string }[]
}

/** Asks for the arguments of a tool, and shows what a call with them would meet, or makes it. */
export function TryTool({ name, parameters, example, configurations }: Props) {
  const [draft, setDraft] = useState(() =>
    example ? filledDraft(parameters, JSON.stringify(example)) : emptyDraft(parameters),
  )
  const [configuration, setConfiguration] = useState(configurations[0]?.id ?? '')
  const [answer, setAnswer] = useState<TriedTool | null>(null)
  const [error, setError] = useState<ActionError | null>(null)
  const [busy, setBusy] = useState(false)
  const router = useRouter()
  const id = useId()
  const send = async (dryRun: boolean) => {
    setBusy(true)
    const result = await sendAction(() =>
      tryIt({
        name,
        dryRun,
        arguments: draftText(parameters, draft),
        configuration: configuration || null,
      }),
    )
    setBusy(false)
    setAnswer(result.ok ? result.value : null)
    setError(result.ok ? null : result.error)
    if (result.ok && result.value.runId) router.push(`/runs/${result.value.runId}`)
  }
  return (
    <div className="flex max-w-xl flex-col gap-4">
      <SchemaForm schema={parameters} draft={draft} onChange={setDraft} />
      <Field
        id={id}
        label="Configuration"
        hint="A real call within its gates, kept as a run. No model is asked."
      >
        {(control) => (
          <Select
            {...control}
            placeholder="None yet"
            value={configuration}
            onValueChange={setConfiguration}
            options={configurations.map((each) => ({ value: each.id, label: each.name }))}
          />
        )}
      </Field>
      <div className="flex gap-2">
        <Button disabled={busy} onClick={() => send(true)}>
          Dry run
        </Button>
        <Button
          variant="primary"
          disabled={busy || configuration === ''}
          onClick={() => send(false)}
        >
          Call it
        </Button>
      </div>
      <div role="status">
        {error && <ErrorNotice title="The tool was not tried">{error.message}</ErrorNotice>}
        {answer && <Answer answer={answer} />}
      </div>
    </div>
  )
}

function Answer({ answer }: { answer: TriedTool }) {
  const { name, configuration, userId, issues, sent, verdict, rules } = answer
  const about = { toolName: name, configurationId: configuration?.id ?? null, userId }
  const where = verdict.allowed
    ? null
    : gateWords(verdict.gate, { ...about, ...(verdict.part && { part: verdict.part }) }).where
  return (
    <div className="flex flex-col gap-3">
      <DecisionLines
        verdict={verdict}
        withConfiguration={configuration !== null}
        after={
          where && (
            <Link href={where.href} className="text-link underline underline-offset-2">
              {where.after}
            </Link>
          )
        }
      />
      {rules.map((rule) => (
        <Rule key={`${rule.id} ${rule.name}`} rule={rule} />
      ))}
      {issues.length > 0 ? (
        <ErrorNotice title="Invalid arguments">
          <ul className="list-none">
            {issues.map((issue) => (
              <li key={issue} className="[overflow-wrap:anywhere]">
                <VisibleText text={issue} />
              </li>
            ))}
          </ul>
        </ErrorNotice>
      ) : (
        <div className="flex flex-col gap-1">
          <h3 className="font-medium text-strong">Arguments as sent</h3>
          <pre className="overflow-x-auto rounded-md border bg-surface-1 p-2 font-mono text-mono">
            <VisibleText text={JSON.stringify(sent, null, 2)} />
          </pre>
        </div>
      )}
    </div>
  )
}

function Rule({ rule: { id, name, action } }: { rule: TriedTool['rules'][number] }) {
  // Without an id, the name says that the tool itself asks.
  if (id === null) return <p className="text-sm">{name}.</p>
  return (
    <p className="text-sm [overflow-wrap:anywhere]">
      The rule{' '}
      <Link href={`/approvals/rules/${id}`} className="text-link hover:underline">
        <VisibleText text={name} />
      </Link>{' '}
      matches: the call {ruleActionWords[action]}.
    </p>
  )
}
