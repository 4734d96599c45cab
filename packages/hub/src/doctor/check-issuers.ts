// Requests the keys of every issuer of access tokens, as the hub does.
import { foregroundClock } from '@tidings/live/time';
import { counted, messageOf, parsedUrl } from '@tidings/live/portable';
import type { Config, IssuerEntry } from '@tidings/track';
import { boundedFetch } from '@tidings/live/internal';
import { acceptedAlgorithms } from '../access/issuer/access-token.ts';
import { issuerKeys } from '../access/issuer/issuer-metadata.ts';
import type { Finding } from './finding.ts';

export async function checkIssuers({ oauth }: Config): Promise<Finding[]> {
  const findings = await Promise.all((oauth?.issuers ?? []).map((entry) => checkIssuer(entry)));
  return findings.flat();
}

async function checkIssuer({ issuer, audience, grants }: IssuerEntry): Promise<Finding[]> {
  const subject = issuer;
  const findings: Finding[] = [];
  try {
    const { keys } = await issuerKeys(issuer, boundedFetch(fetch, foregroundClock, { withinMs: 5000 }));
    const usable = keys.filter(
      ({ kty, alg }) => kty !== 'oct' && (alg === undefined || acceptedAlgorithms.includes(alg)),
    );
    findings.push(
      usable.length > 0
        ? { verdict: 'fine', subject, detail: `answers (${counted(usable.length, 'key')})` }
        : {
            verdict: 'wrong',
            subject,
            detail: 'It publishes no key with which its tokens could be verified.',
            advice: 'Let it sign access tokens with RS256, ES256 or EdDSA.',
          },
    );
  } catch (error) {
    findings.push({
      verdict: 'wrong',
      subject,
      detail: messageOf(error),
      advice:
        'Check "issuer" in the configuration: it must be written exactly as the issuer writes it into its tokens.',
    });
  }
  const path = parsedUrl(audience)?.pathname;
  if (/^https?:/.test(audience) && path !== '/mcp') {
    const detail = `The audience is ${audience}, but clients request tokens for the address of the hub, which ends with /mcp.`;
    const advice = 'Ignore this if the issuer maps that address to the audience, or has one audience only.';
    findings.push({ verdict: 'note', subject, detail, advice });
  }
  if (grants === undefined) {
    const detail = 'Each of its tokens may read all resources, and call no tool.';
    findings.push({ verdict: 'note', subject, detail, advice: 'Say in "grants" what they may do.' });
  }
  return findings;
}
