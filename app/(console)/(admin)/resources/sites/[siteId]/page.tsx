import { siteVerbs } from '@toolgate/server/domains/sites/verbs'
import { resourcePage } from '@/app/(console)/(admin)/resource-page'
import { VisibleText } from '@/components/trace/visible-text'
import { Fact } from '@/components/ui/fact'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { type SiteCheck, sites } from '@/lib/domains/sites/shape'
import { formatCount, formatDuration } from '@/lib/words/format'
import { SiteActions } from '../site-form'

const { page, generateMetadata } = resourcePage(sites, siteVerbs, ({ object: site, choices }) => ({
  actions: <SiteActions object={site} choices={choices} />,
  children: (
    <Section title="Last check">
      {site.lastCheck ? (
        <LastCheck check={site.lastCheck} />
      ) : (
        <p className="text-muted">Press Check to see which pages tools can list.</p>
      )}
    </Section>
  ),
}))

export { generateMetadata }
export default page

function LastCheck({ check: { at, pages, source, ms, trouble } }: { check: SiteCheck }) {
  return (
    <div className="flex flex-col gap-3">
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        <Fact label="Pages">{formatCount(pages)}</Fact>
        {source !== null && (
          <Fact label="From">
            <span className="[overflow-wrap:anywhere]">
              <VisibleText text={source} />
            </span>
          </Fact>
        )}
        <Fact label="Duration">{formatDuration(ms)}</Fact>
        <Fact label="Checked">
          <RelativeTime at={at} />
        </Fact>
      </dl>
      {trouble !== null && (
        <p
          className={
            pages === 0
              ? 'text-error [overflow-wrap:anywhere]'
              : 'text-muted [overflow-wrap:anywhere]'
          }
        >
          <VisibleText text={trouble} />
        </p>
      )}
    </div>
  )
}
