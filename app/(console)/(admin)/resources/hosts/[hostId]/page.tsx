import { hostVerbs } from '@toolgate/server/domains/hosts/verbs'
import type { Metadata } from 'next'
import { ResourcePage } from '@/components/resource/resource-page'
import { hosts } from '@/lib/domains/hosts/shape'
import { resourcePage } from '@/lib/next/read-resource-page'
import { requireAdmin } from '@/lib/next/require-user'
import { changeHost } from '../actions'
import { HostActions } from '../host-form'

const page = resourcePage(hosts, hostVerbs)

type Props = { params: Promise<{ hostId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return page.title((await params).hostId)
}

export default async function HostPage({ params }: Props) {
  const ctx = await requireAdmin()
  const { hostId } = await params
  const { object, choices, history } = await page.read(ctx, hostId)
  return (
    <ResourcePage
      resource={hosts}
      object={object}
      history={history}
      change={changeHost}
      actions={<HostActions host={object} choices={choices} />}
    />
  )
}
