import { describe, expect, it } from 'vitest'
import { isSecretName } from './secret-name'

describe('isSecretName', () => {
  it.each([
    'OPENAI_API_KEY',
    'ANTHROPIC_API_KEY',
    'NEXTAUTH_SECRET',
    'TOOLGATE_VAULT_KEY',
    'DATABASE_URL',
    'DATABASE_URL_REPLICA_URL',
    'POSTGRES_PRISMA_URL',
    'PGPASSWORD',
    'DB_PASS',
    'MYSQL_PWD',
    'ADMIN_PASSWORD',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'GITHUB_PAT',
    'SENTRY_DSN',
    'REDIS_URL',
    'MONGODB_URI',
    'SESSION_COOKIE',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'SLACK_WEBHOOK_URL',
    'STRIPE_SIGNING_SECRET',
    '__NEXT_PRIVATE_STANDALONE_CONFIG',
    'npm_config__authToken',
    'npm_config_//registry.example.com/:_authToken',
    'dbPassword',
    'x-api-key',
    'Authorization',
    'set-cookie',
    'private_key',
    'connectionString',
    'sqlConnStr',
    'userPin',
  ])('says that %s may hold a secret', (name) => {
    expect(isSecretName(name)).toBe(true)
  })

  it.each([
    'NODE_ENV',
    'LANG',
    'LC_ALL',
    'TZ',
    'PORT',
    'LOG_LEVEL',
    'HOME',
    'PATH',
    'TOOLGATE_URL',
    'TOOLGATE_DATA_DIR',
    'DATABASE_POOL_SIZE',
    'mapping',
    'source',
    'incidentId',
    'userId',
  ])('leaves %s alone', (name) => {
    expect(isSecretName(name)).toBe(false)
  })
})
