import { because } from '../../../protocol/format'
import type { Gate } from './subject'

/** Gate 2: the site-wide kill switch stops every tool. */
export const frozen: Gate = {
  name: 'frozen',
  denies: (_tool, subject) =>
    subject.frozen &&
    `All tools of this site are stopped by ${subject.frozen.by}${because(subject.frozen.reason)}`,
}
