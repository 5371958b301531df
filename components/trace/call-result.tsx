'use client'

import { type ReactNode, useMemo, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { CopyButton } from '@/components/ui/copy-button'
import { type ImageTaker, missingImages, missingParts } from '@/lib/protocol/model/result-images'
import { maxSavedBytes, type Outcome } from '@/lib/protocol/tool'
import { resultSize, utf8Bytes } from '@/lib/words/format'
import { ArtifactView } from './artifact-view'
import { AttachedFiles } from './attached-files'
import { LongText } from './long-text'
import { Part } from './part'
import { ResultFlags } from './result-flags'
import { useTraceFacts } from './trace-context'
import { VisibleText } from './visible-text'

type OkOutcome = Extract<Outcome, { type: 'ok' }>

/** Shows the result of a call, or why it did not succeed. */
export function CallResult({
  callId,
  outcome,
  reader,
}: {
  callId: string
  outcome: Outcome
  /** The model that gets the result; null = not known. */
  reader: ImageTaker | null
}) {
  if (outcome.type === 'ok') {
    return (
      <>
        <OkResult callId={callId} outcome={outcome} />
        <ResultImages outcome={outcome} reader={reader} />
      </>
    )
  }
  if (outcome.type === 'denied') return null
  return (
    <Part title="Result">
      <div className="text-sm">{problemOf(outcome)}</div>
    </Part>
  )
}

function problemOf(outcome: Exclude<Outcome, OkOutcome>): ReactNode {
  switch (outcome.type) {
    case 'denied':
    case 'cancelled':
    case 'unknown':
      return <VisibleText text={outcome.reason} />
    case 'invalid-arguments':
      return (
        <ul className="list-disc pl-5">
          {outcome.issues.map((issue) => (
            <li key={issue}>
              <VisibleText text={issue} />
            </li>
          ))}
        </ul>
      )
    case 'failed':
      return (
        <>
          <ResultFlags flags={outcome.flags ?? []} />
          <VisibleText text={outcome.message} />{' '}
          <span className="text-muted">({outcome.code})</span>
          {outcome.incidentId && (
            <p className="font-mono text-mono text-muted">Incident {outcome.incidentId}</p>
          )}
        </>
      )
    case 'timed-out':
      return `The tool returned no result within ${outcome.timeoutMs / 1000} s and was stopped.`
    default:
      return outcome satisfies never
  }
}

function ResultImages({ outcome, reader }: { outcome: OkOutcome; reader: ImageTaker | null }) {
  const { images = [], imagesLeftOut = [] } = outcome
  if (images.length + imagesLeftOut.length === 0) return null
  const missing = reader ? missingImages(outcome, reader) : imagesLeftOut
  return (
    <Part title={`Images (${images.length})`}>
      {images.length > 0 && <AttachedFiles files={images} label="Images of the result" />}
      {missing.map((sentence) => (
        <p key={sentence} className="pt-1 text-sm text-warning">
          <VisibleText text={sentence} />
        </p>
      ))}
    </Part>
  )
}

function OkResult({ callId, outcome }: { callId: string; outcome: OkOutcome }) {
  const [whole, setWhole] = useState<string | null>(null)
  const [view, setView] = useState<'formatted' | 'raw' | 'page' | 'artifacts'>('formatted')
  const content = whole ?? outcome.content
  const formatted = useMemo(() => formattedResult(content), [content])
  const views = [
    { name: 'formatted' as const, label: 'Formatted', there: formatted !== null },
    { name: 'raw' as const, label: 'Raw', there: true },
    { name: 'page' as const, label: 'As a page', there: isHtml(content) },
    {
      name: 'artifacts' as const,
      label: `Artifacts (${outcome.artifacts.length})`,
      there: outcome.artifacts.length > 0,
    },
  ].filter((each) => each.there)
  const shown = views.some((each) => each.name === view) ? view : 'raw'
  const size = useMemo(() => resultSize(utf8Bytes(content)), [content])
  const isCut = outcome.truncated && whole === null
  return (
    <Part
      title={`Result (${resultSize(outcome.originalBytes)}${outcome.leftOut?.length === 0 ? ', complete' : ''})`}
      action={
        <>
          {views.length > 1 &&
            views.map((each) => (
              <button
                key={each.name}
                type="button"
                aria-pressed={each.name === shown}
                onClick={() => setView(each.name)}
                className={cn(
                  'h-6 rounded-sm px-1.5 text-sm transition-colors hover:text-strong pointer-coarse:h-9',
                  each.name === shown ? 'bg-surface-2 text-strong' : 'text-muted',
                )}
              >
                {each.label}
              </button>
            ))}
          <CopyButton text={content} what="result" />
        </>
      }
    >
      <ResultFlags flags={outcome.flags} />
      {missingParts(outcome.leftOut).map((sentence) => (
        <p key={sentence} className="text-sm text-warning">
          <VisibleText text={sentence} />
        </p>
      ))}
      {shown === 'artifacts' &&
        outcome.artifacts.map((artifact, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the artifacts of an ended call do not change
          <ArtifactView key={index} artifact={artifact} />
        ))}
      {shown === 'formatted' &&
        formatted?.map(({ name, text }) => (
          <FormattedPart key={name ?? ''} name={name} text={text} size={name ? undefined : size} />
        ))}
      {shown === 'page' && <ResultPage callId={callId} />}
      {shown === 'raw' && <LongText text={content} label="Raw result" size={size} />}
      {isCut && (
        <WholeResult
          callId={callId}
          bytes={outcome.originalBytes}
          kept={size}
          onLoaded={setWhole}
        />
      )}
    </Part>
  )
}

/** Draws HTML in a frame that can do nothing (SPEC J5). The frame's address answers with the policy that says so, too. */
function ResultPage({ callId }: { callId: string }) {
  const { runId } = useTraceFacts()
  return (
    <>
      <iframe
        sandbox=""
        referrerPolicy="no-referrer"
        loading="lazy"
        title="The result as a page"
        src={`/api/runs/${runId}/calls/${encodeURIComponent(callId)}/preview`}
        className="h-96 w-full resize-y rounded-sm border bg-white"
      />
      <p className="text-muted text-sm">Without scripts, forms, links and outside pictures.</p>
    </>
  )
}

/** Returns whether a text is a page, or a part of one. */
function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype html|html|head|body|main|article|section|div|table|h[1-6]|p|ul|ol)[\s>]/i.test(
    text,
  )
}

type Loading = { type: 'idle' } | { type: 'busy' } | { type: 'failed'; why: string }

/** Loads the whole result on demand. The journal holds its first 64 KiB. */
function WholeResult({
  callId,
  bytes,
  kept,
  onLoaded,
}: {
  callId: string
  bytes: number
  kept: string
  onLoaded: (content: string) => void
}) {
  const { runId } = useTraceFacts()
  const [loading, setLoading] = useState<Loading>({ type: 'idle' })
  const load = async () => {
    setLoading({ type: 'busy' })
    try {
      const response = await fetch(`/api/runs/${runId}/calls/${encodeURIComponent(callId)}/result`)
      if (!response.ok)
        return setLoading({ type: 'failed', why: `The server answered ${response.status}.` })
      onLoaded(await response.text())
    } catch {
      setLoading({ type: 'failed', why: 'The server could not be reached.' })
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <span className="text-warning">Cut to {kept} for the model and the journal.</span>
      <Button size="sm" loading={loading.type === 'busy'} onClick={load}>
        {loadWords(bytes)}
      </Button>
      {loading.type === 'failed' && (
        <span role="alert" className="text-error">
          {loading.why} Try again.
        </span>
      )}
    </div>
  )
}

function loadWords(bytes: number): string {
  return bytes > maxSavedBytes
    ? `Load the first ${resultSize(maxSavedBytes)}`
    : `Load the whole result (${resultSize(bytes)})`
}

function FormattedPart({ name, text, size }: FormattedText & { size: string | undefined }) {
  return (
    <>
      {name && (
        <p className="pt-1 font-mono text-mono text-muted">
          <VisibleText text={name} />
        </p>
      )}
      <LongText text={text} label={name ?? 'Result'} {...(size && { size })} />
    </>
  )
}

/** `name`: the member whose text of several lines this is; null = the rest of the result. */
type FormattedText = { name: string | null; text: string }

/**
 * Returns JSON with indentation, and after it each text of several lines that a member of it is, as these lines. Null for what
 * is no JSON, and for over a million characters.
 */
function formattedResult(content: string): FormattedText[] | null {
  if (content.length > 1_000_000 || !/^\s*[[{]/.test(content)) return null
  try {
    const value: unknown = JSON.parse(content)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (!isObject) return [{ name: null, text: JSON.stringify(value, null, 2) }]
    const texts = Object.entries(value).flatMap(([name, text]) =>
      typeof text === 'string' && text.includes('\n') ? [{ name, text }] : [],
    )
    const names = new Set(texts.map(({ name }) => name))
    const rest = Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)))
    const text = JSON.stringify(rest, null, 2)
    return names.size > 0 && text === '{}' ? texts : [{ name: null, text }, ...texts]
  } catch {
    return null
  }
}
