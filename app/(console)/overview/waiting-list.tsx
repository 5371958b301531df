import { ChevronRight, CircleCheck } from 'lucide-react'
import Link from 'next/link'
import { Section } from '@/components/ui/section'
import type { WaitingLine } from './waiting-lines'

/** Shows what waits, each line as a link to its list, or one sentence when nothing does. */
export function WaitingList({ lines }: { lines: readonly WaitingLine[] }) {
  return (
    <Section title="Waiting for you">
      {lines.length === 0 ? (
        <p className="flex items-center gap-2 text-muted">
          <CircleCheck className="size-4 shrink-0 text-ok" aria-hidden />
          Nothing is waiting for you.
        </p>
      ) : (
        <ul className="divide-y rounded-md border bg-surface-1">
          {lines.map(({ href, words }) => (
            <li key={href}>
              <Link
                href={href}
                className="numeric flex min-h-10 items-center justify-between gap-3 px-3 py-2 text-strong transition-colors hover:bg-surface-2"
              >
                {words}
                <ChevronRight className="size-4 shrink-0 text-muted" aria-hidden />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
