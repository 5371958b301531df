'use client'
import type { Connected } from '@toolgate/server/probes/connect-model'
import type { OfferRow } from '@toolgate/server/probes/offer-row'
import { Play } from 'lucide-react'
import Link from 'next/link'
import { useEffect, useId, useState } from 'react'
import { idempotencyKeys } from '@/components/forms/idempotency-keys'
import { sendAction } from '@/components/forms/use-act'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { lazyPart } from '@/components/ui/lazy-part'
import { Section } from '@/components/ui/section'
import { Textarea } from '@/components/ui/textarea'
import { useToast } from '@/components/ui/toast'
import type { ActionError } from '@/lib/next/action'
import { initialRunState } from '@/lib/protocol/run/fold-run'
import { samplePromptsFor } from '@/lib/protocol/sample-prompts'
import { offeredTools, runFirstPrompt, undo } from './actions'
import { type AskedTool, NoTool } from './no-tool'

const LiveRun = lazyPart(async () => (await import('@/components/trace/live-run')).LiveRun)

export type Done = { connected: Connected; model: OfferRow }

const plainPrompt = 'Say hello: which model are you?'

/** Shows what was added, and a first prompt that calls a tool, with its run below. */
export function FirstRun({ connected, model, onUndone }: Done & { onUndone: () => void }) {
  const { configurationId, identifier, connectionId, connectionName, modelId } = connected
  const toast = useToast()
  const [undoing, setUndoing] = useState(false)
  const tools = useOfferedTools(configurationId)
  const undoAll = async () => {
    setUndoing(true)
    const result = await sendAction(() => undo(connected))
    setUndoing(false)
    if (!result.ok) {
      const description = result.error.message
      return toast({ tone: 'error', title: 'Not undone', description })
    }
    toast({ tone: 'ok', title: 'Undone' })
    onUndone()
  }
  return (
    <>
      <Section
        title="Connected"
        action={
          <Button loading={undoing} onClick={undoAll}>
            Undo
          </Button>
        }
      >
        <p className="max-w-[72ch]">
          Configuration <Added href={`/configurations/${configurationId}`}>{identifier}</Added>{' '}
          (admins only), model <Added href={`/models/${modelId}`}>{model.displayName}</Added>,
          connection <Added href={`/connections/${connectionId}`}>{connectionName}</Added>.
        </p>
      </Section>
      {tools && <Prompt configurationId={configurationId} tools={tools} model={model} />}
    </>
  )
}

function Added({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="text-link hover:underline">
      <VisibleText text={children} />
    </Link>
  )
}

/** Returns the tools with what the gates say for this configuration; null while they are read. */
function useOfferedTools(configurationId: string): AskedTool[] | null {
  const [tools, setTools] = useState<AskedTool[] | null>(null)
  // External system: the server, which decides what may be offered.
  useEffect(() => {
    let isCurrent = true
    void sendAction(() => offeredTools({ configuration: configurationId })).then((answer) => {
      if (isCurrent) setTools(answer.ok ? answer.value : [])
    })
    return () => {
      isCurrent = false
    }
  }, [configurationId])
  return tools
}

function Prompt({
  configurationId,
  tools,
  model,
}: {
  configurationId: string
  tools: AskedTool[]
  model: Done['model']
}) {
  const id = useId()
  const allowed = tools.filter(({ verdict }) => verdict.allowed).map(({ name }) => name)
  const [prompt, setPrompt] = useState(samplePromptsFor(allowed)[0] ?? plainPrompt)
  const [keys] = useState(idempotencyKeys)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ActionError | null>(null)
  const [runId, setRunId] = useState<string | null>(null)
  const run = async () => {
    const input = { configuration: configurationId, prompt }
    setBusy(true)
    setError(null)
    const idempotencyKey = keys.keyFor(JSON.stringify(input))
    const result = await sendAction(() => runFirstPrompt({ ...input, idempotencyKey }))
    setBusy(false)
    if (!result.ok) return setError(result.error)
    keys.started()
    setRunId(result.value.runId)
  }
  return (
    <Section title="First prompt">
      <div className="flex max-w-200 flex-col gap-3" {...LiveRun.soon}>
        {allowed.length === 0 && <NoTool tools={tools} configurationId={configurationId} />}
        {model.toolCalling === 'unsupported' && (
          <p className="text-warning">It answers without tools.</p>
        )}
        <label htmlFor={id} className="sr-only">
          Prompt
        </label>
        <Textarea
          id={id}
          rows={3}
          value={prompt}
          onChange={(event) => setPrompt(event.target.value)}
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button variant="primary" loading={busy} disabled={prompt.trim() === ''} onClick={run}>
            {!busy && <Play className="size-4 fill-current" aria-hidden />}
            Run
          </Button>
          {runId && (
            <Link href={`/playground?run=${runId}`} className="text-link hover:underline">
              Open in Playground
            </Link>
          )}
        </div>
        {error && <ErrorNotice title="Not started">{error.message}</ErrorNotice>}
      </div>
      {runId && <LiveRun key={runId} runId={runId} initial={initialRunState} />}
    </Section>
  )
}
