import type { ReactNode } from 'react'
import { Badge } from '@/components/ui/badge'
import { Fact } from '@/components/ui/fact'
import { lazyPart } from '@/components/ui/lazy-part'
import {
  isSameSeen,
  type Preview,
  type Seen,
  type SeenText,
  type WriteCheck,
} from '@/lib/protocol/look'
import { formatBytes } from '@/lib/words/format'
import { LongText } from './long-text'
import { Part } from './part'
import { VisibleText } from './visible-text'

const TextChange = lazyPart(async () => (await import('./text-change')).TextChange)

/** Shows what a call does, or what is there before it and what it would write, as a difference. */
export function WritePreview({ preview: { before, becomes, isAct } }: { preview: Preview }) {
  if (isAct) return <Act act={before} />
  return (
    <div className="flex flex-col gap-2 text-sm">
      {before.type === 'unread' && (
        <p className="text-warning">
          Present content not shown: <VisibleText text={before.problem} />
        </p>
      )}
      {before.type === 'nothing' && <p>Nothing is there now.</p>}
      <Change before={before} after={becomes} label={changeTitle} />
    </div>
  )
}

function Act({ act }: { act: Seen }) {
  if (act.type === 'text') return <LongText text={act.text} label={actTitle} />
  return (
    <p className="text-warning text-sm">
      Effect not shown:{' '}
      <VisibleText text={act.type === 'unread' ? act.problem : 'it says nothing.'} />
    </p>
  )
}

const actTitle = 'What the call does'
const changeTitle = 'What the call changes'

/** Returns the heading of a preview. */
export function previewTitle({ isAct }: Preview): string {
  return isAct ? actTitle : changeTitle
}

function Change({ before, after, label }: { before: Seen; after: SeenText | null; label: string }) {
  if (after === null) {
    return (
      <>
        <p className="text-muted">The result is not known before the call.</p>
        {before.type === 'text' && (
          <>
            <p className="text-muted">What is there now:</p>
            <LongText text={before.text} label="What is there now" />
          </>
        )}
      </>
    )
  }
  if (before.type === 'text' && isSameSeen(before, { type: 'text', ...after })) {
    return <p>No change.</p>
  }
  const old = before.type === 'text' ? before : null
  return (
    <>
      <CutNote texts={[old, after]} />
      <TextChange before={old?.text ?? ''} after={after.text} label={label} />
    </>
  )
}

/** Says that a difference is of the beginnings of long texts. */
function CutNote({ texts }: { texts: readonly (SeenText | null)[] }) {
  if (texts.every((text) => text === null || text.bytes <= 65_536)) return null
  return <p className="text-muted">Only the first 64 KiB of each text are compared.</p>
}

/** Shows what was there before a call, what it was to write, and what was read back after it. */
export function WriteCheckView({ check }: { check: WriteCheck }) {
  const { before, approved, after } = check
  const wanted: Seen | null = approved && { type: 'text', ...approved }
  const isOther = wanted !== null && after.type !== 'unread' && !isSameSeen(wanted, after)
  return (
    <Part title="Before and after">
      <div className="flex flex-col gap-2 text-sm">
        <dl className="flex flex-wrap gap-x-8 gap-y-2">
          <Fact label="Before">{seenWords(before)}</Fact>
          <Fact label="Approved">{wanted ? seenWords(wanted) : 'Not known before the call'}</Fact>
          <Fact label="Now">{seenWords(after)}</Fact>
        </dl>
        {isOther && wanted && (
          <>
            <p>
              <Badge tone="error">Not as approved</Badge> Read back instead:
            </p>
            <Difference from={wanted} to={after} label="From what was approved to what is there" />
          </>
        )}
        <Difference from={before} to={after} label="What the call changed" />
      </div>
    </Part>
  )
}

function seenWords(seen: Seen): ReactNode {
  switch (seen.type) {
    case 'nothing':
      return 'Nothing'
    case 'unread':
      return <VisibleText text={seen.problem} />
    case 'text':
      return (
        <span title={`SHA-256 ${seen.sha256}`}>
          {formatBytes(seen.bytes)},{' '}
          <code className="font-mono text-mono">{seen.sha256.slice(0, 8)}</code>
        </span>
      )
    default:
      return seen satisfies never
  }
}

function Difference({ from, to, label }: { from: Seen; to: Seen; label: string }) {
  if (from.type === 'unread' || to.type === 'unread') return null
  if (isSameSeen(from, to)) return <p className="text-muted">{label}: nothing.</p>
  const [old, now] = [from, to].map((seen) => (seen.type === 'text' ? seen : null))
  return (
    <>
      <CutNote texts={[old ?? null, now ?? null]} />
      <TextChange before={old?.text ?? ''} after={now?.text ?? ''} label={label} />
    </>
  )
}
