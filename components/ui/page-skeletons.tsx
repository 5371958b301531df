import type { ReactNode } from 'react'
import { Skeleton } from './skeleton'

/** Shows grey shapes while a page with a heading, a filter bar and a list loads. */
export function ListSkeleton() {
  return (
    <Page label="Loading the list">
      <Skeleton className="h-8 w-full max-w-200" />
      <ul className="divide-y rounded-md border bg-surface-1">
        {['1', '2', '3', '4', '5', '6'].map((row) => (
          <li key={row} className="flex h-14 items-center justify-between gap-8 px-3">
            <div className="flex flex-1 flex-col gap-2">
              <Skeleton className="h-3.5 w-36" />
              <Skeleton className="h-3 w-full max-w-100" />
            </div>
            <Skeleton className="h-5 w-16 rounded-full" />
          </li>
        ))}
      </ul>
    </Page>
  )
}

/** Shows grey shapes while a page with a heading and a form loads; as wide as a form may be. */
export function FormSkeleton() {
  return (
    <Page label="Loading the form">
      <Skeleton className="h-40 w-full max-w-160" />
      <Skeleton className="h-48 w-full max-w-160" />
      <Skeleton className="h-64 w-full max-w-160" />
    </Page>
  )
}

/** Shows grey shapes while the page of one object loads: heading, facts and sections. */
export function DetailSkeleton() {
  return (
    <Page label="Loading the page">
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-48 w-full" />
      <Skeleton className="h-64 w-full" />
    </Page>
  )
}

/** Returns a page's padding and heading. `label` is what screen readers announce instead of the grey shapes. */
function Page({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="status" className="flex flex-col gap-4 p-4 md:p-6">
      <span className="sr-only">{label}</span>
      <div className="flex h-12 flex-col justify-center gap-2">
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-4 w-full max-w-120" />
      </div>
      {children}
    </div>
  )
}
