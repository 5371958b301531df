/** Searched anywhere in the name, because a false alarm hides a harmless value, but a miss shows a secret. */
const secretPart =
  /KEY|TOKEN|SECRET|PASS|PWD|CRED|AUTH|COOKIE|PRIVATE|DSN|SESSION|SIGNATURE|SIGNING|SALT|BEARER|JWT|CERT|WEBHOOK|CRYPT|VAULT|LICEN[CS]E|CONN(?:ECTION)?_?STR/

/** Addresses of services that usually contain a password, and words that are too short to search inside others. */
const secretWhole =
  /(?:^|_)(?:PAT|PIN|OTP|TOTP|MFA|SAS|HMAC|PSK)(?:_|$)|(?:DATABASE|DB|PG|POSTGRES|POSTGRESQL|MYSQL|MARIADB|MSSQL|REDIS|MONGO|MONGODB|AMQP|RABBITMQ|SMTP|MAIL|LDAP|KAFKA|ELASTIC|CLICKHOUSE)_?(?:\w+_)?(?:URL|URI|CONN\w*)$/

/**
 * Returns whether a variable, field or header of this name has, or may have, a secret: `OPENAI_API_KEY`, `dbPassword`,
 * `x-api-key`.
 */
export function isSecretName(name: string): boolean {
  const flat = name.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase()
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()
  return (
    secretPart.test(flat) ||
    secretWhole.test(flat) ||
    secretPart.test(words) ||
    secretWhole.test(words)
  )
}
