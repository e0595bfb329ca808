import { Component, type ComponentChildren } from 'preact';
import { FailureNotice } from './failure-notice.tsx';

/**
 * Shows a failure where a part of the portal could not be loaded: offline, or after a new version was deployed, which
 * a reload brings.
 */
export class LoadBoundary extends Component<{ children: ComponentChildren }, { failed: boolean }> {
  override state = { failed: false };

  static override getDerivedStateFromError = () => ({ failed: true });

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return <FailureNotice failure={{ code: 'offline', fields: {} }} onRetry={() => location.reload()} />;
  }
}
