import { Wrench } from 'lucide-react'
import { StatePill } from '@/components/ui/state-pill'
import type { DraftCall } from '@/lib/protocol/round-view'
import { VisibleText } from './visible-text'

const tailCharacters = 120

/** A call whose arguments are still arriving; as high as the card that replaces it. */
export function DraftRow({ draft }: { draft: DraftCall }) {
  const tail = draft.argumentsText.slice(-tailCharacters)
  return (
    <div className="flex min-h-9.5 flex-wrap items-center gap-x-2 gap-y-1 rounded-md border border-dashed bg-surface-1 px-3 py-1.5">
      <Wrench className="size-4 shrink-0 text-muted" aria-hidden />
      <span className="font-medium font-mono text-mono text-strong [overflow-wrap:anywhere]">
        <VisibleText text={draft.name === '' ? 'Request in text' : draft.name} />
      </span>
      <span className="order-last min-w-0 basis-full truncate font-mono text-mono text-muted sm:order-none sm:basis-0 sm:grow">
        <VisibleText text={tail.length < draft.argumentsText.length ? `…${tail}` : tail} />
      </span>
      <StatePill state="running" className="ml-auto sm:ml-0">
        Arguments…
      </StatePill>
    </div>
  )
}
