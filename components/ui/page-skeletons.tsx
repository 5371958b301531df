import type { ReactNode } from 'react'
import { PageFrame, type PageKind } from './page-frame'
import { Skeleton } from './skeleton'

/** Shows grey shapes while a page with a heading, a filter bar and a list loads. */
export function ListSkeleton() {
  return (
    <Page kind="list" label="Loading the list">
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

/** Shows grey shapes while a page with a heading and a form loads. */
export function FormSkeleton() {
  return (
    <Page kind="form" label="Loading the form">
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-48 w-full" />
      <Skeleton className="h-64 w-full" />
    </Page>
  )
}

/** Shows grey shapes while the page of one object loads: heading, facts and sections. */
export function DetailSkeleton() {
  return <Detail />
}

/** Shows the same while a long page of one object loads, which has an index beside it. */
export function IndexedSkeleton() {
  return <Detail index={<Skeleton className="order-last hidden h-40 w-44 shrink-0 xl:block" />} />
}

function Detail({ index }: { index?: ReactNode }) {
  return (
    <Page kind="detail" label="Loading the page" index={index}>
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-48 w-full" />
      <Skeleton className="h-64 w-full" />
    </Page>
  )
}

/** Shows the frame of a page and grey shapes for its heading. `label` is what screen readers announce instead of them. */
function Page({
  kind,
  label,
  index,
  children,
}: {
  kind: PageKind
  label: string
  index?: ReactNode
  children: ReactNode
}) {
  return (
    <PageFrame kind={kind} index={index} status={label}>
      <div className="flex h-12 flex-col justify-center gap-2">
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-4 w-full max-w-120" />
      </div>
      {children}
    </PageFrame>
  )
}
