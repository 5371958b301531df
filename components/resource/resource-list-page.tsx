import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { PageHead } from '@/components/shell/page-head'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import type { Definition } from '@/lib/shape/resource'
import { ResourceList } from './resource-list'

type List<D extends Definition> = Omit<ComponentProps<typeof ResourceList<D>>, 'nothing'>

/** Shows the page of a list: what the objects are for, the button that adds one, and the list. */
export function ResourceListPage<D extends Definition>({
  title,
  about,
  add,
  nothing: { icon, title: none, words },
  children,
  below,
  ...list
}: List<D> & {
  title: string
  about: ReactNode
  /** The button that adds one. */
  add: ReactNode
  /** Text shown when there are none yet. */
  nothing: { icon: LucideIcon; title?: string; words?: string }
  /** Above the list. */
  children?: ReactNode
  below?: ReactNode
}) {
  return (
    <PageFrame kind="list">
      <PageHead title={title} action={add}>
        {about}
      </PageHead>
      {children}
      <ResourceList
        {...list}
        nothing={
          <EmptyState icon={icon} title={none ?? `No ${title.toLowerCase()} yet`} action={add}>
            {words}
          </EmptyState>
        }
      />
      {below}
    </PageFrame>
  )
}
