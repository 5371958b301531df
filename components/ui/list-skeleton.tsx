import type { ReactNode } from 'react'
import { Skeleton } from './skeleton'

/** A page with a heading, a filter bar and a list, while it loads. `label` is what screen readers hear. */
export function ListSkeleton({
  label,
  rows,
  row,
}: {
  label: string
  rows: number
  /** One row, of the same height as a real one. */
  row: ReactNode
}) {
  return (
    <div role="status" className="flex flex-col gap-4 p-4 md:p-6">
      <span className="sr-only">{label}</span>
      <div className="flex h-12 flex-col justify-center gap-2">
        <Skeleton className="h-6 w-24" />
        <Skeleton className="h-4 w-full max-w-120" />
      </div>
      <Skeleton className="h-8 w-full max-w-200" />
      <ul className="divide-y rounded-md border bg-surface-1">
        {Array.from({ length: rows }, (_, index) => `row-${index}`).map((key) => (
          <li key={key}>{row}</li>
        ))}
      </ul>
    </div>
  )
}
