import { TriangleAlert } from 'lucide-react'
import Link from 'next/link'
import { Button } from '@/components/ui/button'

type Props = {
  version: number
  /** Where its changes are shown. */
  changes: string
  onKeep: () => void
  onTake: () => void
}

/** Somebody else was faster, or an old version was brought back: nothing that was typed is lost unasked. */
export function NewerVersion({ version, changes, onKeep, onTake }: Props) {
  return (
    <section
      role="alert"
      aria-label="Changed meanwhile"
      className="flex max-w-160 flex-col gap-3 rounded-md border border-warning/40 bg-warning-soft p-3"
    >
      <p className="flex gap-2">
        <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
        <span>
          <strong className="font-medium text-strong">
            Version {version} was saved meanwhile.
          </strong>{' '}
          What you typed is still here and not saved.{' '}
          <Link href={changes} scroll={false} className="text-link underline underline-offset-2">
            What it changed
          </Link>
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onKeep}>Keep mine</Button>
        <Button onClick={onTake}>Take version {version}</Button>
      </div>
    </section>
  )
}
