import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn'

/** Spread onto the control so that label, hint and error belong to it. */
export type FieldControl = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** Shows a label, a control, a hint, and the error in words. */
export function Field({
  id,
  label,
  hint,
  error,
  optional = false,
  className,
  children,
}: {
  id: string
  label: string
  hint?: ReactNode
  error?: string
  optional?: boolean
  className?: string
  children: (control: FieldControl) => ReactNode
}) {
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    // Hints and errors may name things with names of one long word.
    <div className={cn('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className="font-medium text-strong">
        {label}
        {optional && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <div id={`${id}-hint`} className="text-muted text-sm [overflow-wrap:anywhere]">
          {hint}
        </div>
      )}
      {error && (
        <p
          id={`${id}-error`}
          className="flex items-start gap-1 text-error text-sm [overflow-wrap:anywhere]"
        >
          <CircleAlert className="mt-px size-4 shrink-0" aria-hidden />
          {error}
        </p>
      )}
    </div>
  )
}
