import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'

type Props = {
  /** "Version 5 was saved meanwhile." */
  title: string
  /** The text of the button that drops the typed changes. */
  take: string
  /** A link to the page that shows the difference. */
  children?: ReactNode
  onKeep: () => void
  onTake: () => void
}

/** Shows above a form with unsaved changes that somebody else saved. Typed changes are dropped only by its button. */
export function ChangedMeanwhile({ title, take, children, onKeep, onTake }: Props) {
  return (
    <section
      role="alert"
      aria-label="Changed by somebody else"
      className="flex max-w-160 flex-col gap-3 rounded-md border border-warning/40 bg-warning-soft p-3"
    >
      <p className="flex gap-2">
        <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
        <span>
          <strong className="font-medium text-strong">{title}</strong> Your input is not saved.{' '}
          {children}
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onKeep}>Keep mine</Button>
        <Button onClick={onTake}>{take}</Button>
      </div>
    </section>
  )
}
