import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** Shows the error of a group of choices; nothing without one. */
export function ErrorLine({ id, children }: { id: string; children: ReactNode }) {
  if (!children) return null
  return (
    <p id={id} role="alert" className="flex items-center gap-1.5 text-error text-sm">
      <CircleAlert className="size-4 shrink-0" aria-hidden />
      {children}
    </p>
  )
}
