import { answerQuestion } from '../web/answer-question'
import { type PageLinksQuestion, pageLinks } from './page-links'
import { type SitemapQuestion, sitemapEntries } from './sitemap-entries'

// The program of a process that reads a sitemap, or the links of a page; `scripts/generate-workers.mjs` makes one text of it.
answerQuestion((question: PageLinksQuestion | SitemapQuestion) =>
  question.about === 'links' ? pageLinks(question) : sitemapEntries(question),
)
