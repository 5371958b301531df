'use client'
import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { Badge } from '@/components/ui/badge'
import { IconButton } from '@/components/ui/icon-button'
import { useKeptFocus } from '@/components/ui/use-kept-focus'
import type { ModelChoice } from '@/lib/domains/configurations/schemas'
import { zoneWords } from '@/lib/protocol/configuration-form'

type Props = {
  model: ModelChoice
  /** From 0. */
  place: number
  last: number
  onMove: (to: number) => void
  onRemove: () => void
}

/** Shows one fallback model, which is asked when those before it could not answer. */
export function FallbackRow({ model, place, last, onMove, onRemove }: Props) {
  const { name, connectionName, trustZone, enabled } = model
  const move = { name, place, last, onMove }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <span className="numeric text-muted text-sm">{place + 1}</span>
      <span className="min-w-0 flex-1 basis-40 [overflow-wrap:anywhere]">
        <span className="text-strong">{name}</span>{' '}
        <span className="text-muted">at {connectionName}</span>
      </span>
      {!enabled && <Badge tone="warning">Switched off</Badge>}
      <Badge>{zoneWords[trustZone]}</Badge>
      <span className="flex gap-1">
        <MoveButton {...move} step={-1} />
        <MoveButton {...move} step={1} />
        <IconButton label={`Remove ${name} from the chain`} size="sm" onClick={onRemove}>
          <X aria-hidden />
        </IconButton>
      </span>
    </li>
  )
}

/**
 * Shows a button that moves the row. At the end of the list it stays enabled and does nothing, because a disabled
 * button would lose the focus.
 */
function MoveButton({
  name,
  place,
  last,
  step,
  onMove,
}: {
  name: string
  place: number
  last: number
  step: 1 | -1
  onMove: (to: number) => void
}) {
  const { ref, keepFocus } = useKeptFocus()
  const to = place + step
  const atEnd = to < 0 || to > last
  const Icon = step === -1 ? ArrowUp : ArrowDown
  return (
    <IconButton
      label={`Try ${name} ${step === -1 ? 'earlier' : 'later'}`}
      size="sm"
      aria-disabled={atEnd || undefined}
      ref={ref}
      onClick={() => {
        keepFocus()
        if (!atEnd) onMove(to)
      }}
    >
      <Icon aria-hidden />
    </IconButton>
  )
}
