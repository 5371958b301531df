import type { ReactNode } from 'react'
import { Skeleton } from './skeleton'

/** A page with a heading, a filter bar and a list, while it loads. `label` is what screen readers hear. */
export function ListSkeleton({
  label,
  rows,
  row = <TwoLines />,
}: {
  label: string
  rows: number
  /** One row, of the same height as a real one; left out, a name with a line below it and a state. */
  row?: ReactNode
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

function TwoLines() {
  return (
    <div className="flex h-14 items-center justify-between gap-8 px-3">
      <div className="flex flex-1 flex-col gap-2">
        <Skeleton className="h-3.5 w-36" />
        <Skeleton className="h-3 w-full max-w-100" />
      </div>
      <Skeleton className="h-5 w-16 rounded-full" />
    </div>
  )
}
