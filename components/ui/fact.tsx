import type { ReactNode } from 'react'

/** Shows one fact of an object, in a list of facts: its label, and its value below. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="text-strong [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}
